// A mail server on port 25 that prints every letter.
import { SMTPServer } from 'smtp-server'

new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, done) {
    stream.on('end', done).pipe(process.stdout, { end: false })
  },
}).listen(25)
