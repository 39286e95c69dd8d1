import type { Case } from './world.ts';

export const quotes: Case[] = [
  ['> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['>a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['> a\n\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>'],
  ['> a\n\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  ['> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
  ['>', '<p>&gt;</p>'],
  ['>\n>', '<p>&gt;<br>\n&gt;</p>'],
  ['> > a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['>> a', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['> a\n> > b\n> c', '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b<br>\nc</p>\n</blockquote>\n</blockquote>'],
  ['text\n> a', '<p>text</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
  ['> * a\n> * b', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
  [
    '> ```\n> x\n> ```',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>\n</blockquote>',
  ],
  ['> **a**', '<blockquote>\n<p><strong>a</strong></p>\n</blockquote>'],
  [
    '> @**Ada Bell**',
    '<blockquote>\n<p><span class="user-mention silent" data-user-id="42">Ada Bell</span></p>\n</blockquote>',
  ],
  [
    '> @*ops*',
    '<blockquote>\n<p><span class="user-group-mention silent" data-user-group-id="7">ops</span></p>\n</blockquote>',
  ],
  [
    '> @**all** and @**topic**',
    '<blockquote>\n<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span> and <span class="topic-mention silent">topic</span></p>\n</blockquote>',
  ],
  [
    '> #**lab**',
    '<blockquote>\n<p><a class="stream" data-stream-id="12" href="/#narrow/channel/12-lab">#lab</a></p>\n</blockquote>',
  ],
  [
    '> https://ex.org/a.png',
    '<blockquote>\n<p><a href="https://ex.org/a.png">https://ex.org/a.png</a></p>\n</blockquote>',
  ],
  ['```quote\na\nb\n```', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
  ['```quoted\na\n```', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['~~~quote\na\n~~~', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['```quote\n* a\n* b\n```', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
  [
    '```quote\n@**Ada Bell** hi\n```',
    '<blockquote>\n<p><span class="user-mention silent" data-user-id="42">Ada Bell</span> hi</p>\n</blockquote>',
  ],
  ['```quote\n```', '<blockquote>\n</blockquote>'],
  ['```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    '````quote\n```quote\na\n```\nb\n````',
    '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>',
  ],
  [
    '```quote\n```python\nx = 1\n```\nafter\n```',
    '<blockquote>\n<div class="codehilite" data-code-language="Python"><pre><span></span><code>x <span class="o">=</span> <span class="m">1</span>\n</code></pre></div>\n<p>after</p>\n</blockquote>',
  ],
  [
    '```quote\n~~~\ncode\n~~~\n```',
    '<blockquote>\n<div class="codehilite"><pre><span></span><code>code\n</code></pre></div>\n</blockquote>',
  ],
  ['```quote\na\n```\nb', '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>'],
  ['b\n```quote\na\n```', '<p>b</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
  ['```Quote\na\n```', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['```quote\n> a\n```', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
  ['   > a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  [
    '@_**Ada Bell|42** [said](https://chat.example.com/#narrow/channel/12-lab/topic/week.203/near/901):\n```quote\nhi\n```',
    '<p><span class="user-mention silent" data-user-id="42">Ada Bell</span> <a href="#narrow/channel/12-lab/topic/week.203/near/901">said</a>:</p>\n<blockquote>\n<p>hi</p>\n</blockquote>',
  ],
  ['>>>', '<p>&gt;&gt;&gt;</p>'],
  ['>\nb', '<p>&gt;</p>\n<p>b</p>'],
  ['>\n> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['>\n\n> a', '<p>&gt;</p>\n<blockquote>\n<p>a</p>\n</blockquote>'],
];
