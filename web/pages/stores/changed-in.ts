/** What somebody has said nothing about is not sent: that prices stay off would be their word [A3]. `opened`: as it was when they began. */
export function changedIn<T extends object>(chosen: T, opened: NoInfer<T>): Partial<T> {
  const isChanged = (name: string) =>
    JSON.stringify(chosen[name as keyof T]) !== JSON.stringify(opened[name as keyof T]);
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => isChanged(name))) as Partial<T>;
}
