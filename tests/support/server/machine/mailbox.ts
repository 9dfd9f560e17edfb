// A mail server on port 25 that prints every letter. Its certificate is the library's own, which nobody signed.
import { SMTPServer } from 'smtp-server'

new SMTPServer({
  authOptional: true,
  onData(stream, _session, done) {
    stream.on('end', done).pipe(process.stdout, { end: false })
  },
}).listen(25)
