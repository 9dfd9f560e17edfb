import { configure } from '@testing-library/react'
import { WAIT_TIMEOUT } from '../timeouts.ts'

configure({ asyncUtilTimeout: WAIT_TIMEOUT })
