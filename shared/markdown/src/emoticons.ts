const names: Record<string, string> = {
  ':)': 'slight_smile',
  '(:': 'slight_smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'smile',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};

const emoticon = /(?<=^|[\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?=$|[\s,.;?!()[\]"'])/g;

export const findEmoticons = (text: string): { start: number; end: number; name: string }[] =>
  [...text.matchAll(emoticon)].map(({ index: start, 0: { length }, 0: written }) => ({
    start,
    end: start + length,
    name: names[written] ?? '',
  }));
