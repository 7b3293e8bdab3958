// before anything is painted: what was chosen in this tab
try {
  const chosen = sessionStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // where the browser keeps nothing, the system says it
}
