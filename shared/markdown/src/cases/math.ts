import type { Case } from './world.ts';

export const math: Case[] = [
  ['$$', '<p>$$</p>'],
  ['$$$$', '<p>$$$$</p>'],
  ['$$_a$$', '<p>$$_a$$</p>'],
  ['$5 and $6', '<p>$5 and $6</p>'],
  ['$$a', '<p>$$a</p>'],
  ['$$a\nb$$', '<p>$$a<br>\nb$$</p>'],
  ['`$$x$$`', '<p><code>$$x$$</code></p>'],
  ['$$\\bad$$', '<p><span class="tex-error">$$\\bad$$</span></p>'],
  ['$$\\bad <b>$$', '<p><span class="tex-error">$$\\bad &lt;b&gt;$$</span></p>'],
  ['$$}$$', '<p><span class="tex-error">$$}$$</span></p>'],
  ['```math\n\\bad\n```', '<p><span class="tex-error">\\bad</span></p>'],
  [
    '```math\n\\bad\n\n}\n```',
    '<p><span class="tex-error">\\bad</span></p>\n<p><span class="tex-error">}</span></p>',
  ],
  ['```math\n```', ''],
  ['> $$\\bad$$', '<blockquote>\n<p><span class="tex-error">$$\\bad$$</span></p>\n</blockquote>'],
];
