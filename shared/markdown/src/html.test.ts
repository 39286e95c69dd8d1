import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { options, resolved } from './cases/world.ts';
import { repairsOf, forbiddenIn } from './html.test-support.ts';
import { compileLinkifiers } from './linkifiers.ts';
import { parse } from './parse.ts';
import { render } from './render.ts';

const linkifiers = compileLinkifiers([
  { pattern: 'case-(?P<n>[0-9]+)', urlTemplate: 'https://t.ex.org/{n}' },
  { pattern: 'any:(?P<x>.+)', urlTemplate: '{+x}' },
  { pattern: '(?P<z>z*)', urlTemplate: 'https://z.org/{z}' },
]);
const read = (source: string) =>
  render(parse(source, { ...options, linkifiers, translateEmoticons: true }), resolved);

function check(source: string): void {
  const { html } = read(source);
  expect({ source, offences: forbiddenIn(html), mistakes: repairsOf(html) }).toEqual({
    source,
    offences: [],
    mistakes: [],
  });
}

/** Delimiters of markup, parts of attacks, and ordinary words. */
const pieces = [
  ['*', '**', '***', '_', '~~', '`', '``', '```', '~~~', '$$', '\n', '\n\n', ' ', '  ', '    ', '\t', '\\'],
  [
    '> ',
    '>',
    '* ',
    '- ',
    '1. ',
    '2. ',
    '# ',
    '## ',
    '---',
    '| ',
    ' | ',
    '\n--- | ---\n',
    '\na | b\n--- | ---\n',
  ],
  [
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '[a](',
    '"',
    "'",
    ' "t")',
    '<',
    '>',
    '&',
    '&amp;',
    '&#106;',
    '&lt;',
    '&copy;',
    ';',
  ],
  [
    '@**Ada Bell**',
    '@_**Ada Bell|42**',
    '@**',
    '@*ops*',
    '@**all**',
    '@',
    '#**lab**',
    '#**lab>week 3**',
    '#**lab>',
    '@901**',
    '#',
  ],
  [
    '<time:',
    '1893456000',
    '<time:2031-05-06>',
    ':tada:',
    ':logo2:',
    ':',
    ':)',
    '<3',
    '🎉',
    '👨\u200D👩\u200D👧',
    '\uFE0F',
    '\u{1F1E9}',
  ],
  [
    'https://ex.org/',
    'ex.org',
    'me@ex.org',
    'https://ex.org/a.png',
    'https://youtu.be/abcdefghijk',
    'https://news.ex.org/story',
    'https://film.ex.org/clip',
  ],
  [
    '/user_uploads/1/aa/p.png',
    '/user_uploads/1/aa/a.mp3',
    'https://chat.example.com/#narrow',
    '/x.mp3',
    '.mp4',
    'case-15',
    'any:',
  ],
  ['```quote\n', '```spoiler ', '```math\n', '```python\n', '\n```\n', '~~~\n', '```js', 'html'],
  [
    'javascript:',
    'java\tscript:',
    'data:text/html,',
    'vbscript:',
    '//',
    'onerror=',
    'style=',
    '<script>',
    '</p>',
    '<img src=x onerror=alert(1)>',
    '--><b>',
  ],
  [
    '\\frac{a}{b}',
    '\\href{javascript:x}{y}',
    '\\text{<b>}',
    'x^2',
    '{',
    '}',
    '\\color{red}',
    '\\sqrt',
    '\\begin{matrix}a&b\\end{matrix}',
  ],
  ['word', 'a', 'Z', '0', 'é', '日本', '\u0000', '\u202E', '\uFFFC', '=', '.', ',', '/', '?', '{.', '}'],
].flat();

describe('whatever is written, its HTML is well-formed and holds only what it may', () => {
  test('the HTML of pieces of markup is well-formed and contains only what is allowed', () => {
    const source = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(fc.property(source, check), { numRuns: 3000 });
  });

  test('the HTML of any characters is well-formed and contains only what is allowed', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), check), { numRuns: 500 });
  });

  test('the HTML of code in every highlighted language is well-formed and contains only what is allowed', () => {
    const language = fc.constantFrom(
      'python',
      'js',
      'ts',
      'html',
      'css',
      'c++',
      'java',
      'bash',
      'sql',
      'json',
      'yaml',
      'tex',
      'md',
      'php',
      'diff',
      'rust',
    );
    const code = fc.array(fc.constantFrom(...pieces, '<?php ', '</style>', '`${', '"""', '#!', '/*', '*/'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(language, code, (name, parts) => check(`~~~~~${name}\n${parts.join('')}\n~~~~~`)),
      { numRuns: 500 },
    );
  });
});

const formulas = String.raw`
  \frac{a}{b} \dfrac12 \cfrac{1}{1+\cfrac1x} \binom nk \genfrac(]{1pt}{0}{a}{b}
  \sqrt x \sqrt[3]{x} \sqrt{\frac{\frac{a}{b}}{\frac{c}{d}}}
  \sum_{i=0}^n i \int_0^\infty \iint \oint \prod_{k}^{n} \lim_{x\to 0} \limsup \operatorname{foo} \operatorname*{arg\,max}_x
  \left(\frac ab\right) \left\{a\middle|b\right\} \Biggl[ x \Biggr] \langle a\rangle \lvert x\rvert
  \vec a \hat b \widehat{abc} \tilde c \widetilde{abc} \bar d \overline{ab} \underline{ab} \dot x \ddot x \check x \acute x
  \overbrace{a+b}^{n} \underbrace{a+b}_{n} \overrightarrow{ab} \overleftarrow{ab} \overgroup{ab} \utilde{ab} \underbar x
  \xrightarrow[below]{above} \xleftarrow{a} \xmapsto{a} \xleftrightharpoons{abc} \stackrel{!}{=} \overset ab \underset ab
  \begin{matrix}a&b\\c&d\end{matrix} \begin{pmatrix}a\\b\end{pmatrix} \begin{vmatrix}a&b\\[2em]c&d\end{vmatrix}
  \begin{array}{|c|r:l|}\hline a&b&c\\\hdashline d&e&f\end{array} \begin{cases}a&b\\c&d\end{cases} \begin{smallmatrix}a\end{smallmatrix}
  \text{a $b$ c} \textbf{a} \textit{a} \texttt{a} \mathbb R \mathcal L \mathfrak g \mathscr A \mathrm d \boldsymbol x \mathsf x
  \color{red}a \textcolor{#0f0}{b} \colorbox{yellow}{c} \fcolorbox{red}{blue}{d} \boxed{e} \fbox{f}
  \cancel a \bcancel b \xcancel c \sout d \phantom{a} \hphantom{a} \vphantom{a} \smash{a} \not= \enclose{circle}{a}
  a\,b\;c\quad d\hspace{1em}e\kern2pt f\mkern3mu g\rule{1em}{2em}\raisebox{1em}{x}\llap{a}\rlap{b}
  \tiny a \small b \Large c \Huge d \displaystyle\sum_a \textstyle\sum_a \scriptstyle a
  a\\b \tag{1} \href{x}{y} \url{x} \includegraphics{a} \htmlId{a}{b} \unicode{65} é 日本 \char"41 \S \copyright
  \begin{aligned}a&=b\\c&=d\end{aligned} \begin{gathered}a\\b\end{gathered} \begin{CD}A @>a>> B\\@VbVV @|\\C @= D\end{CD}
  \angl n \phase{1} \mathrlap{a} \vcenter{a} \Braket{a|b} \pmb x \TeX \LaTeX \KaTeX \pod a \pmod b \bmod c \dots \vdots \ddots
`
  .trim()
  .split('\n')
  .flatMap((line) => [line.trim(), ...line.trim().split(/ (?=\\[a-zA-Z])/)]);

test.each(formulas)('the formula %j', (source) => {
  check(`$$${source}$$`);
  check(`~~~math\n${source}\n~~~`);
});

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '"><script>alert(1)</script>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](java\nscript:alert(1))',
  '[a](<java\tscript:alert(1)>)',
  '[a](&#106;avascript:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '[a](vbscript:msgbox)',
  '[a](https://ex.org" onmouseover="alert(1))',
  '[a](https://ex.org "t" onmouseover="alert(1)")',
  '[a](https://ex.org \'" onmouseover="alert(1)\')',
  '[" onclick="alert(1)](https://ex.org/a.png)',
  '![" onerror="alert(1)](https://ex.org/a.mp3)',
  '![a](javascript:alert(1)//.mp3)',
  'https://ex.org/"onmouseover="alert(1)',
  'https://ex.org/<script>alert(1)</script>',
  'javascript://%0aalert(1)',
  '<time:"><script>alert(1)</script>',
  '<time:x" onmouseover="alert(1)>',
  ':tada" onclick="alert(1):',
  '@**Ada Bell" onclick="alert(1)**',
  '#**lab>" onclick="alert(1)**',
  '#**lab><script>alert(1)</script>**',
  '```"><script>alert(1)</script>\nx\n```',
  '```html\n<script>alert(1)</script>\n```',
  '```spoiler <script>alert(1)</script>\n<img src=x onerror=alert(1)>\n```',
  '```math\n\\href{javascript:alert(1)}{x}\n```',
  '$$\\url{javascript:alert(1)}$$',
  '$$\\htmlData{x=y}{z} \\htmlId{a}{b} \\htmlClass{c}{d} \\htmlStyle{position:fixed}{e}$$',
  '$$\\text{<script>alert(1)</script>}$$',
  '$$\\includegraphics{https://ex.org/a.png}$$',
  '$$\\color{red"onclick="alert(1)}x$$',
  '| <script> |\n| - |\n| <img src=x onerror=alert(1)> |',
  'any:javascript:alert(1)',
  'any:"><script>alert(1)</script>',
  '[[a](javascript:x)](https://ex.org)',
  '[b [a](https://b.org) c](https://ex.org)',
  '[b [a](https://b.org/a.mp3) c](https://ex.org)',
  '[![a](https://ex.org/x.mp3)](https://ex.org)',
  '[a](//ex.org) [b](/\\ex.org) [c](\\\\ex.org)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;',
  '&#x3c;script&#x3e;alert(1)',
];

describe('attacks', () => {
  test.each(attacks)('%j is text', (source) => check(source));
});

test('what may be in the HTML of a message is not everything', () => {
  const bad = [
    '<script></script>',
    '<a href="javascript:x">a</a>',
    '<a onclick="x">a</a>',
    '<p style="x">a</p>',
    '<img src="data:x">',
    '<!-- -->',
  ];
  for (const html of bad) expect(forbiddenIn(html), html).not.toEqual([]);
  for (const html of [
    '<p>a',
    '<p><div></div></p>',
    '<a href="/x"><a href="/y">b</a></a>',
    '<em>a</p>',
    '<a href="/x"b>c</a>',
  ]) {
    expect([...repairsOf(html), ...forbiddenIn(html)], html).not.toEqual([]);
  }
});
