import { askEarly } from '../data/session/early-requests.ts';
import { pageReady } from './page-ready.ts';

// Before all else, which takes a slow device a second to fetch and to read.
askEarly(location.hash);
// The application reads its texts as it is loaded.
const { loadLanguage } = await import('../strings/load-language.ts');
await Promise.all([loadLanguage(), pageReady()]);
await import('./main.tsx');
