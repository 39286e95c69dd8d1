import './channel-sign.css';

/** The sign before the name of a channel, in its color. It is a part of the name. */
export const ChannelSign = ({ color }: { color: string | undefined }) => (
  <span class="channel-sign channel-color" style={color ? { '--channel-color': color } : undefined}>
    #
  </span>
);
