import { useEffect, useState } from 'preact/hooks';

interface PictureProps {
  src: string;
  alt: string;
  /** Width and height, in CSS pixels. */
  size: number;
  class?: string;
}

/** A square picture. Where it cannot be had, as one of another site without a network, nothing stands in its place. */
export function Picture({ src, alt, size, class: name }: PictureProps) {
  const [isLost, setLost] = useState(false);
  useEffect(() => setLost(false), [src]);
  return (
    <img
      class={isLost ? 'picture-lost' : name}
      src={src}
      alt={isLost ? '' : alt}
      width={size}
      height={size}
      onError={() => setLost(true)}
    />
  );
}
