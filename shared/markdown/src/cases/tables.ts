import type { Case } from './world.ts';

export const tables: Case[] = [
  [
    'a | b\n--- | ---\n1 | 2',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n:-- | --:\n1 | 2',
    '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: right;">2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n:-: | ---\n1 | 2',
    '<table>\n<thead>\n<tr>\n<th style="text-align: center;">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: center;">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['a | b\n--- | ---', '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>'],
  ['a | b\n---\n1 | 2', '<p>a | b</p>\n<hr>\n<p>1 | 2</p>'],
  [
    'a | b\n--- | ---\n1',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n--- | ---\n1 | 2 | 3',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n--- | ---\n**x** | `y`',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><strong>x</strong></td>\n<td><code>y</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n--- | ---\n1 | 2\n\nafter',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n<p>after</p>',
  ],
  [
    'text\n\na | b\n--- | ---\n1 | 2',
    '<p>text</p>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['a | b', '<p>a | b</p>'],
  [
    'a | b\n--- | ---\n`2|3` | c',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>2|3</code></td>\n<td>c</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n--- | ---\n`` 2|`|3 `` | `4\\|5`',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code> 2|`|3 </code></td>\n<td><code>4|5</code></td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a | b\n--- | ---\n`2|3 | c',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>`2</td>\n<td>3</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a\\|c | b\n--- | ---\n1 | 2',
    '<table>\n<thead>\n<tr>\n<th>a|c</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    '> a | b\n> --- | ---\n> 1 | 2',
    '<blockquote>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n</blockquote>',
  ],
  [
    'a | b\n--- | ---\n@**Ada Bell** | :tada:',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><span class="user-mention" data-user-id="42">@Ada Bell</span></td>\n<td><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></td>\n</tr>\n</tbody>\n</table>',
  ],
];
