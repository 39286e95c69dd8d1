import { expect, test } from 'vitest';

import { toMarkdown } from './html-to-markdown.ts';

test.each([
  ['<p>One <b>bold</b> and <i>italic </i>word</p><p>two</p>', 'One **bold** and *italic* word\n\ntwo'],
  ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
  ['<a href="https://example.com/x">here</a>', '[here](https://example.com/x)'],
  ['<a href="https://example.com/x">https://example.com/x</a>', 'https://example.com/x'],
  ['<a href="javascript:alert(1)">here</a>', 'here'],
  ['<h2>Head</h2><p>text</p>', '## Head\n\ntext'],
  ['<blockquote><p>said</p></blockquote>', '> said'],
  ['<p>a * b_c and [d]</p>', 'a * b_c and [d]'],
  ['<p>press <code>x</code></p>', 'press `x`'],
  ['<pre><code>a\n  b\n</code></pre>', '```\na\n  b\n```'],
  [
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x = 1\n</code></pre></div>',
    '```python\nx = 1\n```',
  ],
  [
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '| a   | b   |\n| --- | --- |\n| 1   | 2   |',
  ],
  ['one<br>two', 'one\ntwo'],
  ['<p><del>gone</del></p>', '~~gone~~'],
  ['<img src="https://example.com/a.png" alt="a cat">', '[a cat](https://example.com/a.png)'],
  ['<img src="data:image/png;base64,AAAA" alt="a cat">', 'a cat'],
])('pasted %s is written as %s', (html, markdown) => {
  expect(toMarkdown(html)).toBe(markdown);
});

test('what was copied from a document has its styles as marks', () => {
  const html =
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-1"><p><span style="font-weight:700">Plan</span><span> for </span><span style="font-style:italic">June</span></p></b>';
  expect(toMarkdown(html)).toBe('**Plan** for *June*');
});

test('what was copied from a message is what was written', () => {
  const html =
    '<p><span class="user-mention" data-user-id="3">@Bob Lark</span> and <span class="user-mention silent" data-user-id="4">Carol</span> in ' +
    '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1/topic/x">#lab &gt; x y</a> ' +
    '<span class="emoji emoji-1f389" role="img" title="tada">🎉</span> ' +
    '<span class="katex"><span class="katex-mathml"><math><semantics><annotation encoding="application/x-tex">a^2</annotation></semantics></math></span><span class="katex-html">a2</span></span></p>';
  expect(toMarkdown(html)).toBe('@**Bob Lark** and @_**Carol** in #**lab>x y** :tada: $$a^2$$');
});

test('scripts and styles are no text', () => {
  expect(toMarkdown('<style>p{}</style><script>x()</script><title>t</title><p>text</p>')).toBe('text');
});
