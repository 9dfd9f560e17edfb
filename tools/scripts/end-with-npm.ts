// Imported first, it ends a long-running program together with npm: npm signals the shell between them, and not every
// shell passes the signal on.
const shell = process.ppid

const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 200).unref()
