// strips
