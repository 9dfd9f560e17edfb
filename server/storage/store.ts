import type { Enquiry } from '../../src/domain/enquiry.ts'

/**
 * Stores the leads. Every answer but 'unavailable' comes only once what it acknowledges is durable.
 * No call rejects: every failure is the answer 'unavailable'.
 */
export type Store = {
  /** Addresses that differ only in case are one, and exactly one call for it is answered 'added'. */
  addSubscriber(email: string): Promise<'added' | 'present' | 'unavailable'>
  /** Stores an enquiry with a key once, however often it is sent; 'key-reused' if the key belongs to another enquiry. */
  addEnquiry(enquiry: Enquiry, key: string | null): Promise<'stored' | 'key-reused' | 'unavailable'>
  /** Writes a row durably, to find out whether one can be written. */
  checkReadiness(): Promise<'ready' | 'unavailable'>
  /** How many calls wait for an answer. */
  pending(): number
  /** Stores what still waits, then closes the database. */
  close(): Promise<void>
}
