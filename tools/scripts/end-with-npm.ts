// Ends the program when npm ends. npm starts a program in a shell, and sends signals to that shell. Not every shell
// passes them on, so the program watches whether its shell is still there.
const shell = process.ppid

const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 200).unref()
