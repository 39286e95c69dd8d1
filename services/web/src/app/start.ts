import { askEarly } from '../data/session/early-requests.ts';
import { loadLanguage } from '../strings/load-language.ts';

askEarly(location.hash);
// The application reads its texts as it is loaded.
await loadLanguage();
await import('./main.tsx');
