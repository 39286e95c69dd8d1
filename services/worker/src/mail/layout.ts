import { escapeHtml } from '@parley/markdown';

const styles = {
  body: 'margin:0;padding:0;background:#fff;color:#222;font:16px/1.5 system-ui,-apple-system,sans-serif',
  column: 'max-width:600px;margin:0 auto;padding:16px;overflow-wrap:anywhere',
  footer: 'margin-top:24px;padding-top:12px;border-top:1px solid #ddd;color:#666;font-size:13px',
};

/** Returns the HTML of a mail: one column, which phones show as wide as they are. `content` and `footer` are HTML. */
export const mailPage = ({ title, content, footer }: { title: string; content: string; footer: string }) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
</head>
<body style="${styles.body}">
<div style="${styles.column}">
${content}
<div style="${styles.footer}">${footer}</div>
</div>
</body>
</html>
`;

export const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
