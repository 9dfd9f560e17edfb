// What stands in texts.ts of a page in German, as long as one can write it.
import type { EnquiryError } from '../../../src/domain/enquiry.ts'

/** @public The build takes them in place of our own. */
export const LANG: string = 'de'
/** @public */
export const DIR: 'ltr' | 'rtl' = 'ltr'

/** @public */
export const TITLE = 'Verwaltungsoberfläche'
/** @public */
export const DESCRIPTION: string = 'Inbetriebnahme der Trinkwasserversorgungsanlage in Kürze.'

export const TEXT = {
  heading: 'Trinkwasserversorgungsinbetriebnahme in Kürze!',
  email: 'Elektronische Benachrichtigungsadresse',
  emailPlaceholder: 'Ihre elektronische Benachrichtigungsadresse eingeben',
  subscribe: 'Benachrichtigungsabonnement abschließen',
  contactUs: 'Kontaktaufnahmemöglichkeiten anzeigen',
  first: 'Vorname beziehungsweise Rufname der ansprechenden Person',
  last: 'Nachname beziehungsweise Familienname der ansprechenden Person',
  message: 'Nachricht an die Kundenbetreuungsabteilung',
  submit: 'Kontaktanfrage unwiderruflich absenden',
  sending: 'Übermittlungsvorgang läuft…',
  sendAgain:
    'Ihr Nachrichtentext bleibt erhalten: Schließen Sie dieses Dialogfenster und öffnen Sie es erneut, um ihn zu senden.',
  charactersLeft: (count: number) => `Noch ${count} Zeichen Nachrichtenlängenbegrenzung`,
  truncated: 'Der eingefügte Nachrichtentext überschreitet die Längenbegrenzung: Sein Ende wurde abgeschnitten.',
  close: 'Benachrichtigungsfenster schließen',
  loading: 'Anwendungsbestandteile werden geladen',
  fault: 'Auf dieser Seite ist eine unvorhergesehene Ausnahmesituation eingetreten. Bitte laden Sie sie erneut.',
  reload: 'Seite erneut vollständig laden',
  lastMessage: (message: string) => `Letzte Benachrichtigung: ${message}`,
  withoutScripts: 'Benachrichtigungsabonnement und Kontaktaufnahme benötigen JavaScript: Bitte schalten Sie es ein.',
}

export const NOTIFICATION_TEXT = {
  subscribed: {
    summary: 'Herzlichen Dank für Ihre Benachrichtigungsanmeldung!',
    detail: 'Wir halten Sie über bevorstehende Funktionserweiterungen auf dem Laufenden.',
  },
  alreadySubscribed: {
    summary: 'Herzlich willkommen zurück!',
    detail: 'Sie haben Ihr Benachrichtigungsinteresse bereits angemeldet. Wir halten Sie per E-Mail auf dem Laufenden.',
  },
  failed: {
    summary: 'Übermittlungsfehler!',
    detail: 'Bei der Datenübermittlung ist leider etwas schiefgegangen. Bitte versuchen Sie es noch einmal!',
  },
  invalidEmail: {
    summary: 'Ungültige Benachrichtigungsadresse',
    detail: 'Die eingegebene Benachrichtigungsadresse ist offenbar ungültig. Bitte geben Sie eine gültige ein.',
  },
}

export const ENQUIRY_TEXT = {
  received:
    'Herzlichen Dank für Ihre Kontaktaufnahme. Unsere Kundenbetreuungsabteilung meldet sich in Kürze bei Ihnen.',
  failed:
    'Übermittlungsfehler! Bei der Datenübermittlung ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal!',
}

export const VALIDATION_TEXT: Record<EnquiryError, string> = {
  noFirst: 'Bitte geben Sie den Vornamen beziehungsweise Rufnamen der ansprechenden Person ein',
  noLast: 'Bitte geben Sie den Nachnamen beziehungsweise Familiennamen der ansprechenden Person ein',
  noEmail: 'Bitte geben Sie eine elektronische Benachrichtigungsadresse ein',
  invalidEmail: 'Bitte geben Sie eine gültige elektronische Benachrichtigungsadresse ein',
  noMessage: 'Bitte geben Sie eine Nachricht an die Kundenbetreuungsabteilung ein',
}
