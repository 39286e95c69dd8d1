export { countSubmessages, findWidget, hasWidget, listSubmessages } from './find.ts';
export { parseWidget, widgetFromText, widgetTypeOf } from './widget.ts';
