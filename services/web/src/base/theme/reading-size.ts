/** What somebody has set about how messages are read. */
export interface ReadingSettings {
  /** `web_font_size_px`, of which 16 is the size that the page is designed for. */
  sizePx: number;
  /** `web_line_height_percent`, of which 140 is the height that the page is designed for. */
  linePercent: number;
  /** `fluid_layout_width`: messages are as wide as the column. */
  isFluid: boolean;
}

export const usualSize = 16;
export const usualLine = 140;

/** Other clients may have set anything; what nobody could read is not shown. */
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Returns how much larger than designed the text of messages is, and how much higher its lines. */
export const scalesOf = ({ sizePx, linePercent }: Omit<ReadingSettings, 'isFluid'>) => ({
  text: within(sizePx, 12, 24) / usualSize,
  leading: within(linePercent, 110, 200) / usualLine,
});

/** Shows messages as somebody has set it. */
export function showReadingSize(settings: ReadingSettings): void {
  const { style, dataset } = document.documentElement;
  const { text, leading } = scalesOf(settings);
  style.setProperty('--text-scale', String(text));
  style.setProperty('--leading-scale', String(leading));
  if (settings.isFluid) dataset['width'] = 'fluid';
  else delete dataset['width'];
}
