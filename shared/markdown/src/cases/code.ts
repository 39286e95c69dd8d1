import type { Case } from './world.ts';

export const code: Case[] = [
  ['`a`', '<p><code>a</code></p>'],
  ['`a < b`', '<p><code>a &lt; b</code></p>'],
  ['`` a ` b ``', '<p><code> a ` b </code></p>'],
  ['` a `', '<p><code> a </code></p>'],
  ['`a', '<p>`a</p>'],
  ['a`', '<p>a`</p>'],
  ['`a\nb`', '<p><code>a\nb</code></p>'],
  ['``', '<p>``</p>'],
  ['`*a*`', '<p><code>*a*</code></p>'],
  ['**`a`**', '<p><strong><code>a</code></strong></p>'],
  ['`@**Ada Bell**`', '<p><code>@**Ada Bell**</code></p>'],
  ['`https://ex.org`', '<p><code>https://ex.org</code></p>'],
  ['`:tada:`', '<p><code>:tada:</code></p>'],
  ['`&amp;`', '<p><code>&amp;amp;</code></p>'],
  ['`\\`', '<p><code>\\</code></p>'],
  ['```\na\n```', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  ['```\na\nb', '<div class="codehilite"><pre><span></span><code>a\nb\n</code></pre></div>'],
  ['~~~\na\n~~~', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  ['````\n```\n````', '<div class="codehilite"><pre><span></span><code>```\n</code></pre></div>'],
  ['```\na\n~~~', '<div class="codehilite"><pre><span></span><code>a\n~~~\n</code></pre></div>'],
  ['```\na  \nb\t\n```', '<div class="codehilite"><pre><span></span><code>a\nb\n</code></pre></div>'],
  ['```\n\na\n\n```', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  [
    '```\n \n\n  a\n\nb\n\t\n\n```',
    '<div class="codehilite"><pre><span></span><code>  a\n\nb\n</code></pre></div>',
  ],
  ['```\n\n```', '<div class="codehilite"><pre><span></span><code></code></pre></div>'],
  ['```\n\ta\n```', '<div class="codehilite"><pre><span></span><code>    a\n</code></pre></div>'],
  [
    '```\nab\tc\n\t \td\n```',
    '<div class="codehilite"><pre><span></span><code>ab  c\n        d\n</code></pre></div>',
  ],
  ['```\n```', '<div class="codehilite"><pre><span></span><code></code></pre></div>'],
  ['```a```', '<p><code>a</code></p>'],
  ['``` a ``` b', '<p><code> a </code> b</p>'],
  [
    'text\n```\na\n```\nmore',
    '<p>text</p>\n<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>\n<p>more</p>',
  ],
  [
    '```zorp\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '```text\na\n```',
    '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '```.zorp\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '```{zorp}\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '```{.zorp}\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '``` zorp\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  [
    '```zorp extra words\na\n```',
    '<div class="codehilite" data-code-language="zorp"><pre><span></span><code>a\n</code></pre></div>',
  ],
  ['```zo*rp\na\n```', '<p>```zo*rp<br>\na</p>\n<p>```</p>'],
  ['```<b>\na\n```', '<p>```&lt;b&gt;<br>\na</p>\n<p>```</p>'],
  [
    '```\n<b>&amp;</b>\n```',
    '<div class="codehilite"><pre><span></span><code>&lt;b&gt;&amp;amp;&lt;/b&gt;\n</code></pre></div>',
  ],
  [
    '```\n@**Ada Bell** :tada: https://ex.org\n```',
    '<div class="codehilite"><pre><span></span><code>@**Ada Bell** :tada: https://ex.org\n</code></pre></div>',
  ],
  [
    '```python\nx\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```py\nx\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```js\nx\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```ts\nx\n```',
    '<div class="codehilite" data-code-language="TypeScript"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```c++\nx\n```',
    '<div class="codehilite" data-code-language="C++"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```C#\nx\n```',
    '<div class="codehilite" data-code-language="C#"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```tex\n\\x\n```',
    '<div class="codehilite" data-code-language="TeX"><pre><span></span><code><span class="nf">\\x</span>\n</code></pre></div>',
  ],
  [
    '```latex\nx\n```',
    '<div class="codehilite" data-code-language="TeX"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```html\nx\n```',
    '<div class="codehilite" data-code-language="HTML"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```sh\nls\n```',
    '<div class="codehilite" data-code-language="Bash"><pre><span></span><code><span class="nf">ls</span>\n</code></pre></div>',
  ],
  [
    '```golang\nx\n```',
    '<div class="codehilite" data-code-language="Go"><pre><span></span><code>x\n</code></pre></div>',
  ],
  ['    a', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  ['    a\n    b', '<div class="codehilite"><pre><span></span><code>a\nb\n</code></pre></div>'],
  ['text\n    a', '<p>text<br>\na</p>'],
  ['    a\n\n    b', '<div class="codehilite"><pre><span></span><code>a\n\nb\n</code></pre></div>'],
  ['\ta', '<div class="codehilite"><pre><span></span><code>a\n</code></pre></div>'],
  [
    '```python\ndef f(a):\n    return "b" + 1  # c\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="k">def</span> <span class="nf">f</span><span class="p">(</span>a<span class="p">)</span><span class="p">:</span>\n    <span class="k">return</span> <span class="s">&quot;b&quot;</span> <span class="o">+</span> <span class="m">1</span>  <span class="c1"># c</span>\n</code></pre></div>',
  ],
  [
    '```js\nconst a = `b${c}`;\n```',
    '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code><span class="k">const</span> a <span class="o">=</span> <span class="s">`</span><span class="s">b</span><span class="p">${</span><span class="s">c</span><span class="p">}</span><span class="s">`</span><span class="p">;</span>\n</code></pre></div>',
  ],
  [
    '```json\n{"a": [1, true]}\n```',
    '<div class="codehilite" data-code-language="JSON"><pre><span></span><code><span class="p">{</span><span class="nt">&quot;a&quot;</span><span class="o">:</span> <span class="p">[</span><span class="m">1</span><span class="p">,</span> <span class="kc">true</span><span class="p">]</span><span class="p">}</span>\n</code></pre></div>',
  ],
  [
    '```diff\n-a\n+b\n```',
    '<div class="codehilite" data-code-language="Diff"><pre><span></span><code><span class="gd">-</span><span class="gd">a\n</span><span class="gi">+</span><span class="gi">b</span>\n</code></pre></div>',
  ],
  [
    '```zsh\nx\n```',
    '<div class="codehilite" data-code-language="Bash"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```pwsh\nx\n```',
    '<div class="codehilite" data-code-language="PowerShell"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```gawk\nx\n```',
    '<div class="codehilite" data-code-language="Awk"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```elisp\nx\n```',
    '<div class="codehilite" data-code-language="EmacsLisp"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```tsql\nx\n```',
    '<div class="codehilite" data-code-language="Transact-SQL"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```jinja\nx\n```',
    '<div class="codehilite" data-code-language="Django/Jinja"><pre><span></span><code><span class="nv">x</span>\n</code></pre></div>',
  ],
  [
    '```bsdmake\nx\n```',
    '<div class="codehilite" data-code-language="Makefile"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```pas\nx\n```',
    '<div class="codehilite" data-code-language="Delphi"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```py3\nx\n```',
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```t-sql\nx\n```',
    '<div class="codehilite" data-code-language="Transact-SQL"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```vb.net\nx\n```',
    '<div class="codehilite" data-code-language="VB.net"><pre><span></span><code>x\n</code></pre></div>',
  ],
  [
    '```tf\na = 1\n```',
    '<div class="codehilite" data-code-language="Terraform"><pre><span></span><code><span class="nt">a</span> <span class="p">=</span> <span class="m">1</span>\n</code></pre></div>',
  ],
  [
    '```\n#!/bin/sh\nif\n```',
    '<div class="codehilite"><pre><span></span><code><span class="ch">#!/bin/sh</span>\n<span class="k">if</span>\n</code></pre></div>',
  ],
  [
    '```\n#!/usr/bin/env python\nNone\n```',
    '<div class="codehilite"><pre><span></span><code><span class="c1">#!/usr/bin/env python</span>\n<span class="kc">None</span>\n</code></pre></div>',
  ],
  [
    '```\n#! /usr/bin/env -S LANG=C python3.12 -u\nNone\n```',
    '<div class="codehilite"><pre><span></span><code><span class="c1">#! /usr/bin/env -S LANG=C python3.12 -u</span>\n<span class="kc">None</span>\n</code></pre></div>',
  ],
  [
    '```\n#!/usr/local/bin/python3\nNone\n```',
    '<div class="codehilite"><pre><span></span><code><span class="c1">#!/usr/local/bin/python3</span>\n<span class="kc">None</span>\n</code></pre></div>',
  ],
  [
    '```\n#!python\nNone\n```',
    '<div class="codehilite"><pre><span></span><code><span class="c1">#!python</span>\n<span class="kc">None</span>\n</code></pre></div>',
  ],
  [
    '```\n#!/bin/zorp\nNone\n```',
    '<div class="codehilite"><pre><span></span><code>#!/bin/zorp\nNone\n</code></pre></div>',
  ],
  [
    '```\n#![allow(dead_code)]\nif\n```',
    '<div class="codehilite"><pre><span></span><code>#![allow(dead_code)]\nif\n</code></pre></div>',
  ],
  [
    '```text\n#!/bin/sh\nif\n```',
    '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>#!/bin/sh\nif\n</code></pre></div>',
  ],
  [
    '    #!/bin/sh\n    if',
    '<div class="codehilite"><pre><span></span><code><span class="ch">#!/bin/sh</span>\n<span class="k">if</span>\n</code></pre></div>',
  ],
];
