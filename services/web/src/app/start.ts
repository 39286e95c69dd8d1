import { registerEarly } from '../data/session/early-registration.ts';
import { loadLanguage } from '../strings/load-language.ts';

registerEarly();
// The application reads its texts as it is loaded.
await loadLanguage();
await import('./main.tsx');
