import { escapeHtml } from '@parley/markdown';
import { type LanguageTag, directionOf } from '@parley/strings';

const styles = {
  body: 'margin:0;padding:0;background:#fff;color:#222;font:16px/1.5 system-ui,-apple-system,sans-serif',
  column: 'max-width:600px;margin:0 auto;padding:16px;overflow-wrap:anywhere',
  footer: 'margin-top:24px;padding-top:12px;border-top:1px solid #ddd;color:#666;font-size:13px',
};

interface MailPage {
  language: LanguageTag;
  title: string;
  /** HTML, as the footer is. */
  content: string;
  footer: string;
}

/** Returns the HTML of a mail: one column, which phones show as wide as they are. */
export const mailPage = ({ language, title, content, footer }: MailPage) =>
  `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
</head>
<body style="${styles.body}">
<div lang="${language}" dir="${directionOf(language)}" style="${styles.column}">
${content}
<div style="${styles.footer}">${footer}</div>
</div>
</body>
</html>
`;

export const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
