export { translateError } from './errors.ts';
export {
  type LanguageTag,
  directionOf,
  joinNames,
  languageNames,
  languageOf,
  serverLanguageOf,
} from './languages.ts';
export { mailText } from './mails.ts';
export { type NoticeTexts, noticeText } from './notices.ts';
export { type PageTexts, pageText } from './pages.ts';
export { pushText } from './pushes.ts';
export { type Language, type Texts, type TranslatedTexts, icu, translate } from './texts.ts';
