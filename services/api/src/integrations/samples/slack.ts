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

export const samples: Samples = {
  message: ['message', message],
};
