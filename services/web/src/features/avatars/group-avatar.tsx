import './avatars.css';

/** Stands for several people in a list of conversations: how many they are. */
export const GroupAvatar = ({ count }: { count: number }) => (
  <span class="picture avatar avatar-20 avatar-group" aria-hidden="true">
    {count}
  </span>
);
