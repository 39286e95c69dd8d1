import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';

import { diffRendered } from './html-diff.ts';

const added = (html: string) => `<span class="highlight_text_inserted">${html}</span>`;
const removed = (html: string) => `<span class="highlight_text_deleted">${html}</span>`;

describe('the difference of two versions', () => {
  test.each([
    ['<p>one two</p>', '<p>one two</p>', '<p>one two</p>'],
    ['<p>one two</p>', '<p>one three</p>', `<p>one ${removed('two')}${added('three')}</p>`],
    ['<p>one</p>', '<p>one <strong>more</strong></p>', `<p>one <strong>${added('more')}</strong></p>`],
    ['<p>a <em>b</em> c</p>', '<p>a c</p>', `<p>a <em>${removed('b')}</em>c</p>`],
    [
      '<ul>\n<li>a</li>\n</ul>',
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
      `<ul>\n<li>a</li>\n<li>${added('b')}</li>\n</ul>`,
    ],
    ['<p>a</p>\n<p>b</p>', '<p>a</p>', `<p>a</p><p>${removed('b')}</p>`],
    ['<p>a &lt;b&gt;</p>', '<p>a &amp;</p>', `<p>a ${removed('&lt;b&gt;')}${added('&amp;')}</p>`],
    [
      '<p>see <a href="/a">it</a></p>',
      '<p>see <a href="/b">it</a></p>',
      `<p>see <a href="/a">${removed('it')}</a><a href="/b">${added('it')}</a></p>`,
    ],
    [
      '<p><span class="katex"><b>x</b></span></p>',
      '<p><span class="katex"><b>y</b></span></p>',
      `<p>${removed('<span class="katex"><b>x</b></span>')}</p><p>${added('<span class="katex"><b>y</b></span>')}</p>`,
    ],
    ['<p>a<br>b</p>', '<p>a b</p>', '<p>a b</p>'],
  ])('the difference of %j and %j is as expected', async (before, after, diff) => {
    expect(await diffRendered(before, after)).toBe(diff);
  });

  const word = fc.constantFrom('tea', 'milk', '&lt;b&gt;', '&amp;amp;', 'x"y', '日本');
  const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
  const inline = fc.oneof(
    words,
    words.map((text) => `<strong>${text}</strong>`),
    words.map((text) => `<a href="https://a.example/?q=&quot;1&quot;">${text}</a>`),
    fc.constant('<img alt=":x:" class="emoji" src="/x.png" title="x">'),
    fc.constant('<span class="katex"><span>x</span></span>'),
  );
  const paragraph = fc
    .array(inline, { minLength: 1, maxLength: 4 })
    .map((list) => `<p>${list.join(' ')}</p>`);
  const block: fc.Arbitrary<string> = fc.oneof(
    paragraph,
    paragraph.map((text) => `<blockquote>\n${text}\n</blockquote>`),
    fc
      .array(words, { minLength: 1, maxLength: 3 })
      .map((list) => `<ul>\n${list.map((text) => `<li>${text}</li>`).join('\n')}\n</ul>`),
    words.map((text) => `<table>\n<tbody>\n<tr>\n<td>${text}</td>\n</tr>\n</tbody>\n</table>`),
    words.map((text) => `<div class="codehilite"><pre><span></span><code>${text}\n</code></pre></div>`),
    fc.constant('<hr>'),
  );
  const version = fc.array(block, { maxLength: 4 }).map((list) => list.join('\n'));

  /** The text and the pictures of a version: what is marked otherwise is left out. */
  function contentOf(html: string, hidden = 'none'): string {
    const read = (node: DefaultTreeAdapterTypes.ChildNode): string => {
      if ('value' in node) return node.value.replaceAll(/\s+/g, '');
      if (!('attrs' in node)) return '';
      if (node.attrs.some(({ value }) => value === `highlight_text_${hidden}`)) return '';
      const inner = node.childNodes.map(read).join('');
      return ['img', 'hr'].includes(node.nodeName) ? `<${node.nodeName}>` : inner;
    };
    return parseFragment(html).childNodes.map(read).join('');
  }
  const quoted = (html: string) => html.replaceAll('&quot;', '"');

  test('is well-formed, holds both versions, and no element of neither', async () => {
    await fc.assert(
      fc.asyncProperty(version, version, async (before, after) => {
        const diff = await diffRendered(before, after);
        expect(quoted(serialize(parseFragment(diff)))).toBe(quoted(diff));
        expect(contentOf(diff, 'deleted')).toBe(contentOf(after));
        expect(contentOf(diff, 'inserted')).toBe(contentOf(before));
        const tags = (html: string) => new Set(html.match(/<\/?\w+/g) ?? []);
        const known = tags(`${before}${after}<span></span>`);
        expect([...tags(diff)].filter((tag) => !known.has(tag))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('the difference of versions that are too long, or have nothing in common, is a replacement of the whole', async () => {
    const whole = (before: string, after: string) =>
      `<div class="highlight_text_deleted">${before}</div><div class="highlight_text_inserted">${after}</div>`;
    const long = `<p>${'x '.repeat(60_000)}</p>`;
    expect(await diffRendered(long, '<p>y</p>')).toBe(whole(long, '<p>y</p>'));
    const many = (prefix: string) =>
      `<p>${Array.from({ length: 2000 }, (_, index) => `${prefix}${index}`).join(' ')}</p>`;
    expect(await diffRendered(many('a'), many('b'))).toBe(whole(many('a'), many('b')));
  });
});
