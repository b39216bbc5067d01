import { readFileSync } from 'node:fs';
import { parseStory, type Story } from './story.ts';

const FILE = new URL('./stories.txt', import.meta.url);

/** Stories that ended badly once, each line `story # cause`. They are played for ever after. */
export function keptStories(): readonly { readonly story: Story; readonly cause: string }[] {
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [story = '', cause = ''] = line.split('#').map((part) => part.trim());
      return story === '' ? [] : [{ story: parseStory(story), cause }];
    });
}
