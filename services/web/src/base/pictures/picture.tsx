import { useState } from 'preact/hooks';

import './picture.css';

interface PictureProps {
  /** Where it is; empty for who has none. */
  src: string;
  alt: string;
  /** Width and height, in CSS pixels. */
  size: number;
  class?: string;
  /** Whose picture it is. Their initials stand there until it has come, and if it never does. */
  name?: string;
  /** The number of the hue of their initials. Without one, these are gray. */
  hue?: number;
}

/** A square picture. One that cannot be had, as of another site without a network, is not shown as broken. */
export function Picture({ src, alt, size, class: className = '', name = '', hue }: PictureProps) {
  const [come, setCome] = useState('');
  const isHere = src !== '' && come === src;
  const colors = hue !== undefined &&
    !isHere && { background: `var(--hue-${hue})`, color: `var(--on-hue-${hue})` };
  return (
    <span class={`picture ${className}`} style={{ '--picture-size': `${size / 16}rem`, ...colors }}>
      {!isHere && <span aria-hidden="true">{initialsOf(name)}</span>}
      {src !== '' && (
        <img
          class={isHere ? '' : 'is-away'}
          src={src}
          alt={alt}
          width={size}
          height={size}
          onLoad={() => setCome(src)}
          onError={() => setCome('')}
        />
      )}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
