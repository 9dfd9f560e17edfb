import type { Enquiry } from '../../src/domain/enquiry.ts'

/**
 * Stores the leads. Every answer but 'unavailable' comes only once what it acknowledges is durable.
 * No call rejects: every failure is the answer 'unavailable'.
 */
export type Store = {
  /** Adds an address, without regard to case. Of the calls for one address exactly one is answered 'added'. */
  addSubscriber(email: string): Promise<'added' | 'present' | 'unavailable'>
  /** Stores an enquiry with a key once, however often it is sent. 'key-reused': the key belongs to another one. */
  addEnquiry(enquiry: Enquiry, key: string | null): Promise<'stored' | 'key-reused' | 'unavailable'>
  /** Writes a row durably, to find out whether one can be written. */
  checkReadiness(): Promise<'ready' | 'unavailable'>
  /** How many calls wait for an answer. */
  pending(): number
  /** Stores what still waits, then closes the database. */
  close(): Promise<void>
}
