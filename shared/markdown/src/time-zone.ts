/** Hours ahead of UTC by the abbreviations that people write, in lower case. */
const zones = new Map(
  `z 0 utc 0 gmt 0 wet 0 west 1 bst 1 cet 1 cest 2 met 1 mest 2 eet 2 eest 3 msk 3 wat 1 cat 2 sast 2 eat 3 pkt 5
   ist 5.5 npt 5.75 ict 7 wib 7 wita 8 wit 9 hkt 8 sgt 8 pht 8 awst 8 jst 9 kst 9 acst 9.5 acdt 10.5 aest 10 aedt 11
   nzst 12 nzdt 13 nst -3.5 ndt -2.5 ast -4 adt -3 est -5 edt -4 cst -6 cdt -5 mst -7 mdt -6 pst -8 pdt -7 akst -9
   akdt -8 hst -10`
    .match(/[a-z]+ [-\d.]+/g)
    ?.map((zone) => {
      const [name = '', hours] = zone.split(' ');
      return [name, Number(hours)];
    }),
);

const named = /(?<=[\d\s.m])([a-z]{1,4})$/i;
const numeric =
  /(?:(?:utc|gmt)\s*|(?<=:\d{2}(?:\.\d{1,9})?\s*(?:[ap]\.?m\.?\s*)?))([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/**
 * Returns a time without its zone, and how many minutes the zone is ahead of UTC: NaN if that is no zone. A time
 * without a zone is in UTC.
 */
export function splitZone(text: string): { local: string; offset: number } {
  const [written = '', sign, hours, minutes = '0'] = numeric.exec(text) ?? [];
  if (hours !== undefined) {
    const isZone = Number(hours) < 24 && Number(minutes) < 60;
    const offset = isZone ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : NaN;
    return { local: text.slice(0, -written.length).trim(), offset };
  }
  const [, name = ''] = named.exec(text) ?? [];
  const ahead = zones.get(name.toLowerCase());
  if (ahead === undefined) return { local: text, offset: 0 };
  return { local: text.slice(0, -name.length).trim(), offset: ahead * 60 };
}
