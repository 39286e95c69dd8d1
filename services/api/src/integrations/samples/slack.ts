import type { Samples } from '../integration.ts';

/** What programs send to an incoming webhook of Slack. */
const message = {
  channel: '#tea',
  username: 'kettle',
  icon_emoji: ':tea:',
  text: 'shown where blocks are not',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'The tea' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*hot* &amp; ~cold~, _says_ <https://ex.org/tea|the kettle> to <@U123>' },
      fields: [{ type: 'mrkdwn', text: '*Kind*\nGreen' }],
    },
    { type: 'divider' },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'now' },
        { type: 'image', image_url: 'https://ex.org/a.png', alt_text: 'a' },
      ],
    },
  ],
  attachments: [
    {
      color: '#36a64f',
      title: 'A cup',
      title_link: 'https://ex.org/cup',
      text: '<!here> is one',
      fields: [{ title: 'Size', value: 'L', short: true }],
      fallback: 'A cup',
    },
  ],
};

const rich = {
  blocks: [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'The ' },
            { type: 'text', text: 'tea ', style: { bold: true, italic: true } },
            { type: 'text', text: 'is ' },
            { type: 'text', text: 'cold', style: { strike: true } },
            { type: 'text', text: ' says ' },
            { type: 'user', user_id: 'U123' },
            { type: 'text', text: ' in ' },
            { type: 'channel', channel_id: 'C45' },
            { type: 'text', text: ': ' },
            { type: 'link', url: 'https://ex.org/tea', text: 'warm it' },
            { type: 'emoji', name: 'tea' },
            { type: 'broadcast', range: 'here' },
            { type: 'text', text: 'kettle --on', style: { code: true } },
          ],
        },
        {
          type: 'rich_text_list',
          style: 'ordered',
          indent: 0,
          elements: [
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'Boil' }] },
            { type: 'rich_text_section', elements: [{ type: 'text', text: 'Pour' }] },
          ],
        },
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Hot\nand green' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'brew()' }] },
      ],
    },
    { type: 'image', image_url: 'https://ex.org/cup.png', alt_text: 'A cup' },
    { type: 'markdown', text: '**As it is**' },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'Order 7' },
      accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://ex.org/7' },
    },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: { type: 'plain_text', text: 'Deploy' }, url: 'https://ex.org/deploy' },
        { type: 'button', text: { type: 'plain_text', text: 'Ignore' }, value: 'ignore' },
      ],
    },
  ],
};

const attached = {
  text: 'Build finished',
  attachments: [
    {
      fallback: 'Build 7 failed',
      color: 'danger',
      author_name: 'Mona',
      author_link: 'https://ex.org/mona',
      text: 'It *failed*.',
      footer: 'CI',
      ts: 1_763_632_800,
      actions: [{ type: 'button', text: 'Log', url: 'https://ex.org/log' }],
    },
  ],
};

export const samples: Samples = {
  'text, blocks and attachments': ['message', message],
  'rich text and buttons': ['message', rich],
  'an attachment': ['message', attached],
};
