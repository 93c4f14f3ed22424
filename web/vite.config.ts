import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    // For the budgets (scripts/check-page.ts).
    manifest: 'manifest.json',
    // The content policy allows no `data:` but for pictures.
    assetsInlineLimit: 0,
    target: 'es2023',
    // Older ones have no `light-dark()`; what is written instead for them knows nothing of the scheme that was chosen.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  server: {
    // `npm run page:dev` shows changes at once, with the API of a service that runs beside it.
    proxy: { '/pbxcore': 'http://127.0.0.1:8080', '/docs': 'http://127.0.0.1:8080' },
  },
});
