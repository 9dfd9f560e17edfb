import { httpBackend } from '../../src/adapters/http-backend.ts'
import { type Enquiry, MAX_LENGTH } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { createFakeTimers } from './fake-timers.ts'

/** The page's own way to a backend, in a browser that holds this cookie. */
export const backendAt = (origin: string, cookie = ''): Backend =>
  httpBackend({ origin, cookies: { read: () => cookie, write() {} }, timers: createFakeTimers() })

export const ENQUIRY: Enquiry = {
  first: 'Given',
  last: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
}

export const EMAILS = ['visitor+tag@example.com', "o'visitor@sub.example.co", 'VISITOR@EXAMPLE.ORG', 'a@1.b2']

export const NAMES = [
  ...['Ñandú', 'Όνομα', 'Имя', 'Անուն', 'שם', 'اسم', 'नाम', 'ชื่อ', '名前', '이름', 'ስም', 'İsim', '𐌽𐌰𐌼𐍉', '🙂'],
  ...['e\u0301', 'ab\u202Ecd', "d'Ab", 'A-B', 'A. B.', '1', '\u200B', '名'.repeat(MAX_LENGTH.first)],
]

export const MESSAGES = [
  ['emoji', '👩‍🚒 🇩🇪 👍🏽'],
  ['several lines', 'One\nTwo\r\n\r\n\tThree'],
  ['markup and quotes', `<script>"'\\</script>`],
  ['the greatest length', '𝒎'.repeat(MAX_LENGTH.message)],
] as const
