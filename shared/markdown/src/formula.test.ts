import { describe, expect, test, vi } from 'vitest';

import { options } from './cases/world.ts';
import { parse } from './parse.ts';
import { render } from './render.ts';

const htmlOf = (source: string) => render(parse(source, options)).html;

describe('formulas', () => {
  test.each([
    [
      '$$x^2$$',
      /^<p><span class="katex"><span class="katex-mathml"><math .*<annotation encoding="application\/x-tex">x\^2<\/annotation>.*<span class="katex-html" aria-hidden="true">/,
    ],
    ['a $$x$$ b $$y$$ c', /^<p>a <span class="katex">.*<\/span> b <span class="katex">.*<\/span> c<\/p>$/],
    [
      '```math\nx\n\ny\n```',
      /^<p><span class="katex-display"><span class="katex">.*<\/span>\n\n<span class="katex-display"><span class="katex">.*<\/p>$/,
    ],
    ['$$a*b*c$$', /<annotation encoding="application\/x-tex">a\*b\*c<\/annotation>/],
    ['**$$x$$**', /^<p><strong><span class="katex">/],
  ])('%j', (source, html) => {
    expect(htmlOf(source)).toMatch(html);
  });

  test('have the classes that clients have styles for, and no others', () => {
    const html = htmlOf(
      '```math\n' +
        String.raw`\sqrt{x^2} \frac{a}{b} \sum_{i=0}^n \large y \overline{z} \underline{z}` +
        '\n```',
    );
    const classes = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
    expect([...new Set(classes)].toSorted().join(' ')).toBe(
      'base frac-line hide-tail katex katex-display katex-html katex-mathml large-op mathnormal mclose mfrac mop mopen mord ' +
        'mrel mspace msupsub mtight nulldelimiter op-limits op-symbol overline overline-line pstrut reset-size6 size3 ' +
        'size7 sizing sqrt strut svg-align underline underline-line vlist vlist-r vlist-s vlist-t vlist-t2',
    );
  });

  test('formulas that refer to anything elsewhere do not get it', () => {
    const html = htmlOf(
      String.raw`$$\href{javascript:alert(1)}{a} \includegraphics{https://ex.org/a.png} \htmlStyle{position:fixed}{x}$$`,
    );
    expect(html).not.toMatch(/ (?:href|src)="|style="[^"]*fixed/);
  });

  test.each([
    String.raw`\show x`,
    String.raw`\message{x}`,
    String.raw`\errmessage{x}`,
    String.raw`\let\a\show\a x`,
    String.raw`{\gdef\b{\message{x}}\b}`,
  ])('%j is none, and writes nothing to the log', (source) => {
    const written = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    expect(htmlOf(`$$${source}$$`)).toContain('tex-error');
    for (const spy of written) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  test.each([
    String.raw`\begin{array}\Huge `,
    String.raw`\begin{subarray}\verb x`,
    '{'.repeat(3000),
    'x'.repeat(5000),
  ])('formulas that cannot be parsed are shown as they are written', (source) => {
    expect(htmlOf(`$$${source}$$`)).toContain('tex-error');
  });

  const grown = (define: string) => String.raw`${define}\a#1{\a{#1${'x'.repeat(12)}}}\a{}`;

  test.each([
    ...['def', 'gdef', 'edef', 'xdef', String.raw`global\def`, String.raw`long\def`].map((name) =>
      grown(`\\${name}`),
    ),
    ...['new', 'renew', 'provide'].map((name) => `\\${name}command{\\a}[1]{#1#1}\\a{x}`),
    String.raw`\let\a=x\a`,
    String.raw`\futurelet\a x y`,
    String.raw`\text{\def\a{x}\a}`,
    String.raw`\text{$\def\a{x}\a$}`,
    String.raw`\tag{x}\df@tag\df@tag`,
  ])('%j defines a macro, and is shown as it is written', (source) => {
    expect(htmlOf(`$$${source}$$`)).toMatch(source.includes('$') ? /^<p>\$\$/ : /tex-error/);
    expect(htmlOf(`\`\`\`math\n${source}\n\`\`\``)).toContain('tex-error');
  });

  test.each([String.raw`a \\def`, String.raw`\delta \lets`, String.raw`\tag{1} x`])(
    'are not mistaken for definitions: %j',
    (source) => {
      const html = htmlOf(`\`\`\`math\n${source}\n\`\`\``);
      expect(html.includes('tex-error')).toBe(source.includes('lets'));
    },
  );
});
