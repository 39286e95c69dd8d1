import { catalogue, icu } from './catalogue.ts';

/** The tour that people are offered once. */
export const tourText = catalogue('tour', {
  label: 'Tour',
  next: 'Next',
  done: 'Done',
  leave: 'Skip tour',
  progress: icu('{at} of {all}', 'at', 'all'),
  steps: {
    inbox: {
      title: 'Start with your inbox',
      text: 'Everything you haven’t read is here, by conversation. When it’s empty, you’re up to date.',
    },
    channels: {
      title: 'Channels have topics',
      text: 'Open a channel to see what is discussed in it. Each topic is a conversation of its own, so you read only what concerns you.',
    },
    write: {
      title: 'Write where it belongs',
      text: 'Reply by clicking a message, or start a new topic. You can use Markdown, code, formulas, polls and files.',
    },
    jump: {
      title: 'Jump anywhere',
      text: 'Press Ctrl+K to go to any channel, topic or person, / to search, and ? to see all shortcuts.',
    },
  },
});
