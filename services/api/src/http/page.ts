import { createHash } from 'node:crypto';

import { type LanguageTag, directionOf } from '@parley/strings';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';

/** The colors and shapes of the web client (`services/web/src/styles/tokens.css`). */
const style = `:root{color-scheme:light dark}
body{max-width:26rem;margin:4rem auto;padding:0 1rem;background:light-dark(#f4f5f8,#16181d);
color:light-dark(#1c2027,#e4e7ee);font:.9375rem/1.45 system-ui,sans-serif;overflow-wrap:break-word}
main{padding:1.5rem;border:1px solid light-dark(#d5d9e2,#363b47);border-radius:8px;background:light-dark(#fff,#1e2128)}
h1{margin:0 0 1rem;font-size:1.4rem}label{display:block;margin:1rem 0}a{color:light-dark(#3355c8,#8ea6ff)}
input{display:block;width:100%;box-sizing:border-box;padding:.4rem .6rem;border:1px solid light-dark(#878f9d,#6d7585);
border-radius:6px;background:inherit;color:inherit;font:inherit}
button,.button{display:inline-block;padding:.4rem 1.2rem;border:0;border-radius:6px;
background:light-dark(#3355c8,#3d58bd);color:#fff;font:inherit;text-decoration:none;cursor:pointer}
:focus-visible{outline:2px solid light-dark(#1a43d6,#a9bbff);outline-offset:2px}
.refusal{color:light-dark(#b3261e,#ff9a91)}
body:has(.wide){max-width:44rem}h2{margin:1.5rem 0 .5rem;font-size:1.1rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.25rem 1rem;padding:0;list-style:none}
.looks{margin:0;padding:.75rem 1rem;border:1px solid light-dark(#d5d9e2,#363b47);border-radius:8px}
.looks>p:first-child,.looks>:first-child{margin-top:0}.topic{font-weight:600}
pre,code{font-family:ui-monospace,monospace;font-size:.8125rem}
pre{padding:.5rem .75rem;border-radius:6px;background:light-dark(#f4f5f8,#16181d);white-space:pre-wrap;overflow-wrap:anywhere}
blockquote{margin:.5rem 0;padding-inline-start:.75rem;border-inline-start:3px solid light-dark(#d5d9e2,#363b47)}
dt{margin-top:.5rem}dd{margin:0}`;

/** A page runs no script, shows nothing of other sites, is shown in none, and sends forms to its own site only. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Returns whether whoever asks is a program, and not a person in a browser. */
export const acceptsJson = (c: Context) => /\bapplication\/json\b/.test(c.req.header('accept') ?? '');

export type Html = ReturnType<typeof html>;

/** Returns a page for people in a browser. Texts in the content are escaped where `html` takes them up. */
export async function page(
  status: number,
  { language, title, content }: { language: LanguageTag; title: string; content: Html },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = await html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
  return new Response(String(text), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'Content-Language': language,
      Vary: 'Accept-Language, Cookie',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}
