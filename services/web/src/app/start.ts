import { loadLanguage } from '../strings/load-language.ts';

// The application reads its texts as it is loaded.
await loadLanguage();
await import('./main.tsx');
