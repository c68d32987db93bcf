/** Menus close where a reader expects them to: by Esc, and by a press elsewhere. */

const opened = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')]

export function watchMenus(): void {
  addEventListener('pointerdown', ({ target }) => {
    for (const menu of opened()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }, { capture: true })
  addEventListener('keydown', (event) => {
    const [menu] = opened()
    if (event.key !== 'Escape' || !menu) return
    event.preventDefault()
    menu.open = false
    menu.querySelector('summary')?.focus()
  }, { capture: true })
}
