// Builds the page with one more file in `public`: an imprint.
import config from '../../../vite.config.ts'
import { PUBLIC } from './build-the-page.ts'

export default { ...config, publicDir: PUBLIC }
