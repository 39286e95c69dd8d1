/** Returns the folder of a custom emoji’s pictures, from the end of its address. */
export const folderOf = (path: string) => path.replace(/^.*\//, '').replace(/\.\w+$/, '');
