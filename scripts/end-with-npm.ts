// Imported before a program that runs until it is stopped: npm signals the shell between them, and not every shell passes that on.
const shell = process.ppid

const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 200).unref()
