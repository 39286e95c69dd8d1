import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

const text = /^[^\0]*$/;
const schemes =
  /^(?:(?:https?|ftp|file|bitcoin|geo|im|ircs?|magnet|mailto|matrix|mms|news|nntp|openpgp4fpr|sip|sms|smsto|ssh|tel|urn|webcal|wtai|xmpp):|\/(?!\/)|#|user_uploads\/)/i;
/** Addresses that a browser loads without being asked. */
const source = /^(?:https?:\/\/|\/(?!\/))/i;
const number = /^[+-]?[\d.]+$/;
const lengths =
  /^(?:(?:(?:min-|max-)?(?:height|width)|vertical-align|(?:margin|padding|border)(?:-(?:top|right|bottom|left|width|style|color))*|top|bottom|left|right|color|background-color|position|border-style|text-shadow|font-size):\s?[#\w.+-]*(?: [#\w.+-]+)*(?:;\s?|$))+$/;
const mathClasses =
  /^(?:katex|katex-[a-z]+|m[a-z]+|[a-z]+-?[a-z-]*|size\d+|reset-size\d+|(?:[a-z-]+ ?)+\d*)(?: [\w-]+)*$/;

/** All attributes that the HTML of a message may have, by element, and their values. Nothing else is allowed. */
const allowed: Record<string, Record<string, RegExp>> = {
  a: {
    href: schemes,
    class: /^(?:stream|stream-topic|message-link|message_embed_image)$/,
    title: text,
    'data-stream-id': /^\d+$/,
    'data-id': text,
    style: /^background-image: url\("https?:[^"\\\n]*"\)$/,
  },
  annotation: { encoding: /^application\/x-tex$/ },
  audio: {
    controls: /^$/,
    preload: /^metadata$/,
    src: source,
    title: text,
    'data-original-url': /^https?:/i,
  },
  blockquote: {},
  br: {},
  code: {},
  del: {},
  div: {
    class:
      /^(?:codehilite|spoiler-(?:block|header|content)|message_inline_image(?: message_inline_video)?|(?:youtube|embed)-video message_inline_image|message_embed(?:_title|_description)?|data-container)$/,
    'data-code-language': text,
    'aria-hidden': /^true$/,
  },
  em: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  hr: {},
  img: {
    alt: /^:[\w.+-]+:$/,
    class: /^(?:emoji|image-loading-placeholder)$/,
    src: source,
    title: text,
    'data-animated': /^true$/,
    'data-original-content-type': /^[\w/+.-]+$/,
    'data-original-dimensions': /^\d+x\d+$/,
    'data-transcoded-image': /^\d+x\d+\.webp$/,
  },
  li: {},
  ol: { start: /^\d+$/ },
  p: {},
  pre: {},
  span: {
    class:
      /^(?:(?:user-mention(?: channel-wildcard-mention)?|topic-mention|user-group-mention)(?: silent)?|emoji emoji-[0-9a-f-]+|timestamp-error|tex-error|[a-z]{1,2}\d?)$/,
    role: /^img$/,
    title: text,
    'aria-label': text,
    'data-user-id': /^(?:\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
  },
  strong: {},
  table: {},
  tbody: {},
  td: { style: /^text-align: (?:left|center|right);$/ },
  tfoot: {},
  th: { style: /^text-align: (?:left|center|right);$/ },
  thead: {},
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  tr: {},
  ul: {},
  video: { preload: /^metadata$/, src: source },
};

const dimension = /^[+-]?[\d.]+(?:em|%|px|pt|width)?$/;
const mathAttributes: Record<string, RegExp> = {
  class: mathClasses,
  style: lengths,
  'aria-hidden': /^true$/,
  xmlns: /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/,
  display: /^block$/,
  encoding: /^application\/x-tex$/,
  d: /^[\w\s.,-]*$/,
  viewbox: /^[\d\s.-]+$/,
  preserveaspectratio: /^[\w\s]+$/,
  width: dimension,
  height: dimension,
  depth: dimension,
  x1: dimension,
  x2: dimension,
  y1: dimension,
  y2: dimension,
  'stroke-width': dimension,
  mathcolor: /^#?\w+$/,
  mathbackground: /^#?\w+$/,
  mathvariant: /^[a-z-]+$/,
  mathsize: dimension,
  minsize: dimension,
  maxsize: dimension,
  lspace: dimension,
  rspace: dimension,
  voffset: dimension,
  linethickness: dimension,
  scriptlevel: number,
  notation: /^[a-z ]+$/,
};
const mathElements = new Set(
  `span math semantics annotation svg path line mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot munder
   mover munderover mstyle mtable mtr mtd mpadded  mphantom menclose`.split(/\s+/),
);
const flags =
  /^(?:stretchy|fence|separator|accent|accentunder|movablelimits|symmetric|largeop|displaystyle|rowspacing|columnspacing|columnalign|rowlines|columnlines|linebreak|valign)$/;

/** Everything in a message's HTML that is not allowed. */
export function forbiddenIn(html: string): string[] {
  const offences: string[] = [];
  const visit = (node: Node, isMath: boolean): void => {
    if (node.nodeName === '#text') return;
    if (!('attrs' in node)) {
      offences.push(node.nodeName);
      return;
    }
    const inMath = isMath || node.attrs.some(({ name, value }) => name === 'class' && /^katex\b/.test(value));
    const attributes = Object.hasOwn(allowed, node.tagName) ? allowed[node.tagName] : undefined;
    if (inMath ? !mathElements.has(node.tagName) : !attributes) offences.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs) {
      const pattern = inMath
        ? (mathAttributes[name.toLowerCase()] ?? (flags.test(name) ? /^[\w\s.-]*$/ : undefined))
        : attributes?.[name];
      if (!pattern?.test(value)) offences.push(`<${node.tagName} ${name}=${value}>`);
    }
    for (const child of node.childNodes) visit(child, inMath);
  };
  for (const node of parseFragment(html).childNodes) visit(node, false);
  return offences;
}

/** Elements without an end tag, or whose end tag is optional. */
const withoutEnd = /^<\/?(?:path|line|mspace)[ />]/;
const tagsOf = (html: string) =>
  (html.match(/<\/?[a-z][^>]*>/gi) ?? [])
    .filter((tag) => !withoutEnd.test(tag))
    .map((tag) => /^<\/?\w+/.exec(tag)?.[0].toLowerCase());

/** Characters that are not markup and stand in a text because somebody wrote them. */
const textError = /-in-input-stream$/;

/**
 * What a browser would have to repair: errors of the parser, and tags that are not where the parser understands them
 * to be.
 */
export function repairsOf(html: string): string[] {
  const errors: string[] = [];
  const tree = parseFragment(html, {
    onParseError: ({ code }) => {
      if (!textError.test(code)) errors.push(code);
    },
    sourceCodeLocationInfo: true,
  });
  const [written, understood] = [tagsOf(html), tagsOf(serialize(tree))];
  const at = written.findIndex((tag, index) => tag !== understood[index]);
  if (at >= 0 || written.length !== understood.length)
    errors.push(`tag ${at} of ${written.length}: ${written[at]}, ${understood[at]}`);
  return errors;
}
