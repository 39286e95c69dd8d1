export { Avatar } from './avatar.tsx';
export { GroupAvatar } from './group-avatar.tsx';
export { PresenceDot } from './presence-dot.tsx';
