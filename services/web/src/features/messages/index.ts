export { FoundBar, FoundList } from './found-list.tsx';
export { MessagesView } from './messages-view.tsx';
