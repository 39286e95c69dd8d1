import type { Case } from './world.ts';

export const spoilers: Case[] = [
  [
    '```spoiler Title\nbody\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>Title</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
  ],
  [
    '```spoiler\nbody\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
  ],
  [
    '```spoiler My *title*\nbody\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>My <em>title</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
  ],
  [
    '```spoiler a\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n</div></div>',
  ],
  [
    '```spoiler a\n* b\n* c\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</div></div>',
  ],
  [
    '````spoiler a\n```python\nx\n```\n````',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div class="codehilite" data-code-language="Python"><pre><span></span><code>x\n</code></pre></div>\n</div></div>',
  ],
  [
    '```spoiler a\n```quote\nb\n```\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<blockquote>\n<p>b</p>\n</blockquote>\n</div></div>',
  ],
  [
    '```spoiler @**Ada Bell**\nb\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><span class="user-mention" data-user-id="42">@Ada Bell</span></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>',
  ],
  [
    '```spoiler :tada:\nb',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>',
  ],
  [
    '```quote\n```spoiler a\nb\n```\n```',
    '<blockquote>\n<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>\n</blockquote>',
  ],
  [
    '```spoiler [a](https://ex.org)\nb\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p><a href="https://ex.org">a</a></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>b</p>\n</div></div>',
  ],
  [
    '```spoiler <b>\n<i>\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>&lt;b&gt;</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>&lt;i&gt;</p>\n</div></div>',
  ],
];
