// A mail server on port 25 that prints every mail. Its certificate comes with the library, and no authority signed it.
import { SMTPServer } from 'smtp-server'

new SMTPServer({
  authOptional: true,
  onData(stream, _session, done) {
    stream.on('end', done).pipe(process.stdout, { end: false })
  },
}).listen(25)
