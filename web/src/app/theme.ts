import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The green of the documentation, from a tint to nearly black. */
const green: MantineColorsTuple = [
  '#ebf6f3',
  '#d5eae4',
  '#a9d5c8',
  '#7abfab',
  '#58b59d',
  '#37987f',
  '#27826b',
  '#1f6f5c',
  '#175949',
  '#0d4437',
];

export const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 7 },
  colors: { green },
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The list scrolls by itself: the library's own scroll area cannot be reached with the keyboard.
    Select: { defaultProps: { withScrollArea: false } },
  },
});
