import type { Enquiry } from '../../src/domain/enquiry.ts'

/**
 * Where leads are kept. Every answer but 'unavailable' leaves only after what it acknowledges is durable.
 * No call rejects: whatever keeps the store from storing is the answer 'unavailable'.
 */
export type Store = {
  /** Addresses that differ only in case are one; of any number of calls for it, one is answered 'added'. */
  addSubscriber(email: string): Promise<'added' | 'present' | 'unavailable'>
  /** Stores an enquiry with a key once, however often it comes; 'key-reused' if the key belongs to another enquiry. */
  addEnquiry(enquiry: Enquiry, key: string | null): Promise<'stored' | 'key-reused' | 'unavailable'>
  /** Writes durably what nobody needs. */
  checkReadiness(): Promise<'ready' | 'unavailable'>
  /** How many of each kind wait for their answer. */
  waiting(): { readonly subscribers: number; readonly enquiries: number }
  /** Stores what is still waiting, then lets go of the database. */
  close(): Promise<void>
}
